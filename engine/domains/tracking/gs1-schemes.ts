/** What follows the key: in a link, and as the last parts of a URN. */
interface Tail {
  /** What the last parts of a URN become in a link. */
  readonly inLink: (parts: readonly string[]) => string
  /** The last parts of the URN of a link; undefined if the link is not of this scheme. */
  readonly inUrn: (rest: string) => readonly string[] | undefined
}

/** How the parts of an EPC URN map to those of a GS1 Digital Link (GS1 EPC Tag Data Standard). */
export interface Scheme {
  /** The application identifier of the key. */
  readonly key: string
  /** The first digit of the reference precedes the company prefix. */
  readonly indicator?: true
  /** Digits that precede both. */
  readonly lead?: string
  /** There is no check digit. */
  readonly bare?: true
  readonly tail?: Tail
}

const serial = (parts: readonly string[]) => parts.map(encoded).join('.')

/** A serial number that follows the key at once. */
const appended: Tail = {
  inLink: serial,
  inUrn: (rest) => (rest === '' || rest.includes('/') ? undefined : [decoded(rest)]),
}

/** A serial number after its own application identifier. */
const qualified = (qualifier: string): Tail => ({
  inLink: (parts) => `/${qualifier}/${serial(parts)}`,
  inUrn: (rest) => {
    const [, name, value] = /^\/(\d+)\/([^/]+)$/.exec(rest) ?? []
    return name === qualifier && value !== undefined ? [decoded(value)] : undefined
  },
})

/** A place with `0` for its part is the whole place. */
const part = qualified('254')
const placePart: Tail = {
  inLink: (parts) => (parts.join('.') === '0' ? '' : part.inLink(parts)),
  inUrn: (rest) => (rest === '' ? ['0'] : part.inUrn(rest)),
}

/** All serial numbers: the class. */
const anySerial: Tail = { inLink: () => '', inUrn: (rest) => (rest === '' ? ['*'] : undefined) }

/** A piece of so many, before its serial number or before all of them. */
const piece = (of: Tail): Tail => ({
  inLink: ([number = '', total = '', ...rest]) => `${number}${total}${of.inLink(rest)}`,
  inUrn: (rest) => {
    const [, number, total, more = ''] = /^(\d\d)(\d\d)(.*)$/.exec(rest) ?? []
    const parts = of.inUrn(more)
    return number === undefined || total === undefined || parts === undefined ? undefined : [number, total, ...parts]
  },
})

/** THE TABLE of EPC URNs and Digital Links, read in both directions; of two schemes with one link, the first is written. */
export const schemes: Readonly<Record<string, Scheme>> = {
  'id:sgtin': { key: '01', indicator: true, tail: qualified('21') },
  'id:sscc': { key: '00', indicator: true },
  'id:sgln': { key: '414', tail: placePart },
  'id:grai': { key: '8003', lead: '0', tail: appended },
  'id:giai': { key: '8004', bare: true },
  'id:gsrn': { key: '8018' },
  'id:gsrnp': { key: '8017' },
  'id:gdti': { key: '253', tail: appended },
  'id:cpi': { key: '8010', bare: true, tail: qualified('8011') },
  'id:sgcn': { key: '255', tail: appended },
  'id:ginc': { key: '401', bare: true },
  'id:gsin': { key: '402' },
  'id:pgln': { key: '417' },
  'id:upui': { key: '01', indicator: true, tail: qualified('235') },
  'id:itip': { key: '8006', indicator: true, tail: piece(qualified('21')) },
  'class:lgtin': { key: '01', indicator: true, tail: qualified('10') },
  // A pattern for all serial numbers names the class.
  'idpat:sgtin': { key: '01', indicator: true, tail: anySerial },
  'idpat:upui': { key: '01', indicator: true, tail: anySerial },
  'idpat:itip': { key: '8006', indicator: true, tail: piece(anySerial) },
  'idpat:grai': { key: '8003', lead: '0', tail: anySerial },
  'idpat:gdti': { key: '253', tail: anySerial },
  'idpat:sgcn': { key: '255', tail: anySerial },
  'idpat:cpi': { key: '8010', bare: true, tail: anySerial },
}

/** The characters that an EPC URN may have and a Digital Link must not (GS1 Digital Link 1.2). */
export function encoded(part: string): string {
  return part.replace(/[!()*+,:]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The same characters as a URN has them. */
export function decoded(part: string): string {
  return part.replace(/%(?:2[189ABC]|3A)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}
