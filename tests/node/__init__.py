"""Tools from npm: types of the page, axe-core, ajv, and the libraries of the page."""
