import * as v from 'valibot'
import { accountOf } from '../../kernel/call.ts'
import { EngineError } from '../../kernel/errors.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { country } from '../../kernel/places/countries.ts'
import { zonedIso } from '../../kernel/zone.ts'
import type { KnownAddress } from './ports.ts'

/** The most addresses in an answer. */
const maxAddresses = 20

const text = v.exactOptional(v.string())
const degrees = v.exactOptional(v.number())

const address = named(
  'KnownAddress',
  v.strictObject({
    street: v.string(),
    street2: text,
    locality: text,
    region: text,
    postal_code: text,
    country: text,
    latitude: degrees,
    longitude: degrees,
    last_used_at: v.pipe(v.string(), v.description('When an order last used it, in the time zone of the business.')),
  }),
)

/** Searches addresses. */
export const searchAddress = operation({
  name: 'search_address',
  summary: 'Addresses from orders of the business, by postal code or free text, newest first.',
  scopes: ['address:read'],
  risk: 'low',
  tag: 'AddressBook',
  mcp: {
    title: 'Search addresses',
    idempotent: true,
    hint: 'Only knows addresses of earlier orders, not a map. Matches whole words and whole postal codes, in any case, with or without accents, spaces and dashes; returns at most 20 addresses.',
  },
  rest: { method: 'GET', path: '/api/v1/addresses/search' },
  input: v.strictObject({
    query: v.exactOptional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxLength(200),
        v.description('Words of the street (both lines), locality or postal code.'),
      ),
    ),
    postal_code: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(20))),
    country: v.exactOptional(v.pipe(country, v.description('ISO 3166-1 alpha-2.'))),
  }),
  output: v.strictObject({ result: v.literal(true), total: v.number(), addresses: v.array(address) }),
  errors: [],
  handle: async (context, { query, postal_code, country }) => {
    const { business } = accountOf(context)
    if (query === undefined && postal_code === undefined) throw queryMissing()
    const found = await context.ports.addresses.search(context, {
      ...(query === undefined ? {} : { text: query }),
      ...(postal_code === undefined ? {} : { postalCode: postal_code }),
      ...(country === undefined ? {} : { country }),
      limit: maxAddresses,
    })
    const addresses = found.map((one) => answerOf(one, business.timeZone))
    return { result: true, total: addresses.length, addresses }
  },
})

function answerOf({ usedAt, ...known }: KnownAddress, zone: string): v.InferOutput<typeof address> {
  return { ...known, last_used_at: zonedIso(Date.parse(usedAt), zone) }
}

function queryMissing(): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [
    { path: 'query', code: 'required', params: { field: 'query' } },
  ])
}
