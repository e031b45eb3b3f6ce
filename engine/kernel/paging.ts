import * as v from 'valibot'

/** The members of an input that asks for a page of a list. */
export const pageEntries = {
  page: v.exactOptional(
    v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(1_000_000), v.description('From 1; 1 where absent.')),
  ),
  per_page: v.exactOptional(
    v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(200), v.description('1 to 200; 50 where absent.')),
  ),
}

/** The members of an answer that is a page of a list, beside the list. */
export const pageAnswerEntries = { total: v.number(), page: v.number(), per_page: v.number() }

/** Where a page lies in its list, and what the answer says of it. */
export function pageOf({ page = 1, per_page = 50 }: { readonly page?: number; readonly per_page?: number }) {
  return { range: { limit: per_page, offset: (page - 1) * per_page }, paging: { page, per_page } }
}
