// Turns a strict schema into one for completion and hover that reports no errors:
// only the server reports problems. Conditions stay as they are: they report
// nothing.

const kept = ['$schema', '$ref', 'title', 'description', 'default', 'examples'];
const nested = ['properties', 'definitions'];
/** The snippet for a new member of a type. */
const beginnings = { string: '$1', object: {}, array: [], integer: '^$1', number: '^$1', boolean: '^$1' };

/** Returns the schema without its constraints. */
export function lenient(schema) {
  const out = {};
  for (const key of kept) if (key in schema) out[key] = schema[key];
  for (const key of nested) {
    if (key in schema) {
      out[key] = Object.fromEntries(
        Object.entries(schema[key]).map(([name, value]) => [name, lenient(value)]),
      );
    }
  }
  if ('items' in schema) out.items = lenient(schema.items);
  if ('allOf' in schema) out.allOf = schema.allOf.map(lenient);
  if ('if' in schema) out.if = schema.if;
  if ('then' in schema) out.then = lenient(schema.then);
  const values = [schema, ...(schema.anyOf ?? [])].flatMap(
    (one) => one.enum ?? ('const' in one ? [one.const] : []),
  );
  if (values.length > 0) out.examples = values.filter((value) => value !== null);
  const type = [schema.type].flat().find((one) => one !== undefined && one !== 'null');
  if (type !== undefined && out.examples === undefined && out.default === undefined) {
    out.defaultSnippets = [{ label: type, body: beginnings[type] }];
  }
  return out;
}
