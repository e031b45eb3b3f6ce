/** What fills the places of a text. */
export type Values = Readonly<Record<string, string | number>>

/** A part of a text: words, the number of the plural around it, a value, or the form that fits a value. */
type Part =
  | string
  | { readonly name: string; readonly style?: string; readonly forms?: Readonly<Record<string, Parts>> }

type Parts = readonly Part[]

/** How numbers and plurals of a language are written. */
interface Writing {
  readonly numbers: Intl.NumberFormat
  readonly plurals: Intl.PluralRules
}

/** The locale by which dates and numbers of a language are written. All of them count hours to 24 and use Latin digits. */
export function localeOf(language: string): string {
  return language === 'en' ? 'en-GB' : `${language}-u-nu-latn`
}

/**
 * Reads a text of a catalogue, and gives what fills it. Texts are a part of ICU MessageFormat: `{name}`; `{name, number}`, a
 * number as the language writes it; `{name, plural, =0 {none} one {# day} other {# days}}`, where `#` is that number; and
 * `{name, select, a {…} other {…}}`. There are no quotes: braces are always places.
 */
export function messageIn(text: string, language: string): (values: Values) => string {
  const parts = partsOf(text)
  const writing = onFirstUse(
    (): Writing => ({
      numbers: new Intl.NumberFormat(localeOf(language)),
      plurals: new Intl.PluralRules(language),
    }),
  )
  return (values) => written(parts, values, writing, '#')
}

/** The names of the places in a text, each once, in alphabetical order. */
export function placesIn(text: string): readonly string[] {
  const namesIn = (parts: Parts): readonly string[] =>
    parts.flatMap((part) =>
      typeof part === 'string' ? [] : [part.name, ...Object.values(part.forms ?? {}).flatMap(namesIn)],
    )
  return [...new Set(namesIn(partsOf(text)))].filter((name) => name !== '#').sort()
}

function partsOf(text: string): Parts {
  const tokens = text.match(/[{}#]|[^{}#]+/g) ?? []
  let next = 0
  const parts = upTo(undefined)
  return parts

  /** The parts before a token, or before the end. */
  function upTo(end: string | undefined): Parts {
    const found: Part[] = []
    for (let token = tokens[next++]; token !== end; token = tokens[next++]) {
      if (token === undefined || token === '}') throw new SyntaxError(`The braces do not match: ${text}`)
      found.push(token === '{' ? place() : token === '#' && end !== undefined ? { name: '#' } : token)
    }
    return found
  }

  /** What follows a brace: `name`, `name, style`, or `name, style, form` and the parts of that form, and others. */
  function place(): Part {
    const [name = '', style, form] = (tokens[next++] ?? '').split(',').map((word) => word.trim())
    if (!/^\w+$/.test(name)) throw new SyntaxError(`A place has no name: ${text}`)
    const forms: Record<string, Parts> = {}
    for (let key = form ?? ''; tokens[next] === '{'; ) {
      next++
      forms[key] = upTo('}')
      if (tokens[next] !== '}') key = (tokens[next++] ?? '').trim()
    }
    if (tokens[next++] !== '}') throw new SyntaxError(`The braces do not match: ${text}`)
    return { name, ...(style && { style }), ...(form && { forms }) }
  }
}

function written(parts: Parts, values: Values, writing: () => Writing, number: string): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const { name, style, forms } = part
      if (name === '#') return number
      const value = values[name] ?? `{${name}}`
      if (style === 'number') return writing().numbers.format(Number(value))
      if (forms === undefined) return String(value)
      const counted = style === 'plural' ? writing().numbers.format(Number(value)) : number
      return written(formOf(forms, value, style, writing) ?? [], values, writing, counted)
    })
    .join('')
}

function formOf(
  forms: Readonly<Record<string, Parts>>,
  value: string | number,
  style: string | undefined,
  writing: () => Writing,
) {
  const exact = style === 'plural' ? `=${value}` : String(value)
  return (
    forms[exact] ?? (style === 'plural' ? forms[writing().plurals.select(Number(value))] : undefined) ?? forms.other
  )
}

/** Makes a value when it is first needed: making formats takes its time. */
export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
