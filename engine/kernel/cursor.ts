import type * as v from 'valibot'
import type { Context } from './context.ts'
import { unsealed } from './sealed-text.ts'

/** Cursors of lists that name a place of one kind. */
interface Cursors<Place> {
  write(context: Pick<Context, 'credentials'>, place: Place): string
  /** The place that a cursor names; undefined for a text that is no cursor of these. */
  read(context: Pick<Context, 'credentials' | 'clock'>, cursor: string): Place | undefined
}

/** Cursors that begin with `form`. The place is sealed, because the positions in it tell how much all others record. */
export function cursorsOf<Place extends { readonly kind: string }>(
  form: string,
  schema: v.GenericSchema<unknown, Place>,
): Cursors<Place> {
  return {
    write: ({ credentials }, place) => `${form}${credentials.seal(JSON.stringify(place))}`,
    read: (context, cursor) =>
      cursor.startsWith(form) ? unsealed(context, schema, cursor.slice(form.length)) : undefined,
  }
}
