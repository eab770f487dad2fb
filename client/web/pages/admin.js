// The administration of the server at /admin.
/** @param {{app: any}} props */
export function AdminPage({ app }) {
  app.setTitle("Administration");
  return null;
}
