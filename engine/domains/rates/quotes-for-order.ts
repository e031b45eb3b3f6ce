import { atOtherPaths } from '../../kernel/errors.ts'
import { quotesOf } from './price.ts'

/** The prices of an order, which are refused at the members of an order. */
export function quotesForOrder(...asked: Parameters<typeof quotesOf>): ReturnType<typeof quotesOf> {
  try {
    return quotesOf(...asked)
  } catch (error) {
    throw atOtherPaths(error, (path) => path.replace(/^(delivery|pickup)\b/, '$1.address'))
  }
}
