// Validate messages against the JSON Schema of the protocol with ajv in strict mode.
//
// Standard input has lines of JSON: the schema, then {"as": DEFINITION, "message": MESSAGE}. Standard output gets a JSON list with null for each valid message, and the first error
// for each invalid one. Ajv itself throws if the schema is not valid JSON Schema.

import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";

const ajv = new Ajv2020.default({ strict: true });
const [schema, ...lines] = readFileSync(0, "utf8").split("\n").filter(Boolean);
ajv.addSchema(JSON.parse(schema), "protocol");
const found = lines.map((line) => {
  const { as, message } = JSON.parse(line);
  const validate = ajv.getSchema(`protocol#/$defs/${as}`);
  return validate(message) ? null : `${validate.errors[0].instancePath} ${validate.errors[0].message}`;
});
process.stdout.write(JSON.stringify(found));
