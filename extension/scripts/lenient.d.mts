/** A JSON schema, as far as this script looks at it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The same schema without what it would complain about. */
export function lenient(schema: Schema): Schema;
