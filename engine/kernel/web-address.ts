import { oneLine } from './one-line.ts'

/** A scheme, `www.`, or a slash after a domain. A domain alone may be a name, as `shop.example`. */
const pattern = /[a-z][a-z0-9+.-]*:\/\/|(?<![\p{L}\p{N}])www\.|[\p{L}\p{N}]\.\p{L}{2,}(:\d+)?\//iu

/** Whether a text holds an address of the web, as programs find those that make links of them. */
export function holdsWebAddress(text: string): boolean {
  return pattern.test(oneLine(text, text.length).normalize('NFKC'))
}

/** A text of others for an e-mail: addresses of the web in it stay readable, but no mail program makes links of them. */
export function unlinked(text: string): string {
  return holdsWebAddress(text) ? text.replace(/[.:/]+(?=\S)/g, '$& ') : text
}
