import * as v from 'valibot'
import { exampled } from './named.ts'

/** Input members for a page of a list. */
export const pageEntries = {
  page: v.exactOptional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1),
      v.maxValue(1_000_000),
      v.description('Page number, from 1. Default: 1.'),
    ),
  ),
  per_page: v.exactOptional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1),
      v.maxValue(200),
      v.description('Items per page, 1 to 200. Default: 50.'),
    ),
  ),
}

/** Answer members of a page, next to the list. */
export const pageAnswerEntries = {
  total: exampled(v.number(), 1),
  page: exampled(v.number(), 1),
  per_page: exampled(v.number(), 50),
}

/** The range of a page in its list, and the paging members of the answer. */
export function pageOf({ page = 1, per_page = 50 }: { readonly page?: number; readonly per_page?: number }) {
  return { range: { limit: per_page, offset: (page - 1) * per_page }, paging: { page, per_page } }
}
