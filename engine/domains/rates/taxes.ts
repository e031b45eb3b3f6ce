import { EngineError } from '../../kernel/errors.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import { countryMeant, countryOf } from '../../kernel/places/countries.ts'
import { folded } from '../../kernel/places/folded.ts'
import { type Located, located } from '../../kernel/places/place.ts'
import { countriesWithRegions, hasRegions, isWithin, regionLike, regionOf } from '../../kernel/places/regions.ts'
import { type Contents, deciding } from './contents.ts'
import type { PriceList } from './price-list.ts'

type Tax = NonNullable<PriceList['taxes']>[number]

/** A tax that is due, and where: the region is missing where nothing tells it. */
interface DueTax extends Tax {
  readonly place?: { readonly country: string; readonly region?: string }
}

/**
 * The taxes of a delivery. Refuses with `invalid_input` at the address that decides: `required` without the country that a tax
 * depends on, `region_required` where neither the address nor its postal code tells the region, and `region_differs` where they
 * contradict each other.
 */
export function taxesDue(taxes: readonly Tax[], contents: Contents): readonly DueTax[] {
  const party = deciding(contents)
  const place = contents[party] ?? {}
  const places = located(place)
  const refuse = (member: string, code: Finding['code']) => {
    const received = place.region ?? ''
    return new EngineError('invalid_input', { count: 1 }, [
      { path: pathTo(party, member), code, params: { field: member, received } },
    ])
  }
  const due = taxes.filter((tax) => {
    if (tax.countries === undefined && tax.regions === undefined) return true
    if (places.length === 0) throw refuse('country', 'required')
    const found = places.map((one) => holdsIn(tax, one))
    if (found.includes('differs')) throw refuse('region', 'region_differs')
    if (found.includes('yes')) return true
    if (found.includes('unknown')) throw refuse('region', 'region_required')
    return false
  })
  const [at] = places
  return due.map((tax) => ({ ...tax, ...(at && { place: placeOf(at) }) }))
}

function placeOf({ country, regions: [region, ...others] }: Located) {
  return { country, ...(region !== undefined && others.length === 0 && { region }) }
}

/** Whether a tax holds in a place, as far as the place tells. */
function holdsIn({ countries, regions }: Tax, at: Located): 'yes' | 'no' | 'unknown' | 'differs' {
  if (countries?.includes(at.country) === false) return 'no'
  if (regions === undefined) return 'yes'
  const taxed = regions.flatMap((region) => codeIn(region, at.country))
  if (taxed.length === 0) return 'no'
  if (at.isContradictory) return 'differs'
  const held = at.regions.filter((one) => taxed.some((region) => isWithin(at.country, one, region)))
  if (held.length > 0 && held.length === at.regions.length) return 'yes'
  const mayHold =
    at.regions.length === 0 || at.regions.some((one) => taxed.some((region) => isWithin(at.country, region, one)))
  return held.length > 0 || mayHold ? 'unknown' : 'no'
}

/** The code of a region of a list in a country; nothing if it is one of another country. */
function codeIn(region: string, country: string): readonly string[] {
  const { country: own = country, name } = partsOf(region)
  if (own !== country) return []
  const code = regionOf(country, name)
  if (code !== undefined) return [code]
  return hasRegions(country) ? [] : [folded(name)]
}

/** A region with its country, as CA-ON, in its parts. */
function partsOf(region: string): { readonly country?: string; readonly name: string } {
  const [, country, name] = /^\s*([A-Za-z]{2})-(.+)$/.exec(region) ?? []
  const code = country === undefined ? undefined : countryOf(country)
  return code === undefined || name === undefined ? { name: region.trim() } : { country: code, name: name.trim() }
}

/**
 * A list with the countries and regions of its taxes and zones in their one form: regions with their country, as CA-ON. A region
 * without one is looked for in the countries of its tax, else in those of the zones, else in all whose regions are known.
 */
export function withPlaces(list: PriceList): PriceList {
  const { zones, taxes } = list
  return {
    ...list,
    zones: zones.map((zone) => ({ ...zone, ...(zone.countries && { countries: countriesIn(zone.countries) }) })),
    ...(taxes && {
      taxes: taxes.map((tax) => ({
        ...tax,
        ...(tax.countries && { countries: countriesIn(tax.countries) }),
        ...(tax.regions && { regions: [...new Set(tax.regions.flatMap((region) => regionsNamed(region, tax, list)))] }),
      })),
    }),
  }
}

function countriesIn(countries: readonly string[]): string[] {
  return countries.map((one) => countryOf(one) ?? countryMeant(one) ?? one)
}

function regionsNamed(region: string, tax: Tax, list: PriceList): readonly string[] {
  const { country, name } = partsOf(region)
  const countries = country === undefined ? countriesOf(tax, list) : [country]
  const found = (countries.length === 0 ? countriesWithRegions : countries).flatMap((one) => {
    const code = regionOf(one, name)
    return code === undefined ? [] : [`${one}-${code}`]
  })
  if (found.length > 0) return found
  return [country === undefined ? name : `${country}-${name}`]
}

function countriesOf({ countries }: Tax, { zones }: PriceList): readonly string[] {
  return countriesIn(countries ?? zones.flatMap((zone) => zone.countries ?? []))
}

/** The regions of taxes that no country has in which they may be. */
export function regionFindings(list: PriceList): readonly Finding[] {
  return (list.taxes ?? []).flatMap((tax, row) =>
    (tax.regions ?? []).flatMap((received, index): readonly Finding[] => {
      const { country, name } = partsOf(received)
      const countries = country === undefined ? countriesOf(tax, list) : [country]
      const isKnown = countries.some((one) => !hasRegions(one) || regionOf(one, name) !== undefined)
      const [first] = countries
      if (first === undefined || isKnown) return []
      const path = pathTo(pathTo(pathTo('taxes', row), 'regions'), index)
      return [{ path, code: 'unknown_region', params: { received, expected: regionLike(first, name) } }]
    }),
  )
}
