/** Browsers by what they call themselves, the more special ones first: most claim to be others, too. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** A program by its `User-Agent`, for people: the browser and its system, or the first product that is named. */
export function programIn(userAgent: string): { readonly program: string; readonly system?: string } | undefined {
  const find = (known: readonly (readonly [string, RegExp])[]) => known.find(([, form]) => form.test(userAgent))?.[0]
  const [program, system] = [find(browsers), find(systems)]
  if (program !== undefined) return system === undefined ? { program } : { program, system }
  const [product] = /^[\w.-]{1,40}/.exec(userAgent) ?? []
  return product === undefined ? undefined : { program: product }
}
