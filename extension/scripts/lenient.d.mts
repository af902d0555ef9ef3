/** A JSON schema, as far as this script looks at it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Returns the schema without its constraints. */
export function lenient(schema: Schema): Schema;
