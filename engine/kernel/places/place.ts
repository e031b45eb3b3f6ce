import type { GenericSchema } from 'valibot'
import * as v from 'valibot'
import { normalising, type Problem } from '../normalising.ts'
import { countryMeant, countryOf, partOf } from './countries.ts'
import { folded } from './folded.ts'
import { plainPostalCode, postalCodeOf, postalExample } from './postal-codes.ts'
import { hasRegions, isWithin, regionLike, regionOf, regionsAt } from './regions.ts'

/** Where something is, as far as taxes depend on it. */
export interface Place {
  readonly country?: string | undefined
  readonly region?: string | undefined
  readonly postal_code?: string | undefined
}

/** An address whose postal code and region have their one form in its country, or are refused at their members. */
export function placed<Schema extends GenericSchema<Place, Place>>(schema: Schema): Schema {
  return v.pipe(schema, normalising<Place>(normalPlace) as never) as unknown as Schema
}

/** A place with its postal code and region in their one form; what it tells of both stays without a country. */
export function normalPlace<Given extends Place>(
  place: Given,
  refuse: (received: string, problem: Problem) => void = () => undefined,
): Given {
  const { country, postal_code = '', region = '' } = place
  if (country === undefined) return { ...place, ...trimmed(place) }
  const code = postalCodeOf(country, postal_code)
  const name = regionIn(country, region, code ?? '')
  if (code === undefined)
    refuse(postal_code, { member: 'postal_code', code: 'not_a_postal_code', expected: postalExample(country) })
  if (name === undefined)
    refuse(region, { member: 'region', code: 'unknown_region', expected: regionLike(country, region) })
  return {
    ...place,
    ...(place.postal_code !== undefined && { postal_code: code ?? postal_code }),
    ...(place.region !== undefined && { region: name ?? region }),
  }
}

function trimmed({ region, postal_code }: Place): Place {
  return {
    ...(region !== undefined && { region: region.trim() }),
    ...(postal_code !== undefined && { postal_code: postal_code.trim() }),
  }
}

/** The code of a region, where the regions of its country are known; that of the postal code for a text that names none. */
function regionIn(country: string, text: string, postalCode: string): string | undefined {
  const code = regionOf(country, text)
  if (code !== undefined || text.trim() === '' || !hasRegions(country)) return code ?? text.trim()
  const [only, ...others] = regionsAt(country, plainPostalCode(postalCode))
  return others.length === 0 ? only : undefined
}

/** Which regions a place may be in, in one of the countries that it is in. */
export interface Located {
  readonly country: string
  /** Codes; a text as it is where the regions of the country are not known; empty where nothing tells the region. */
  readonly regions: readonly string[]
  /** The postal code is of another region. */
  readonly isContradictory: boolean
}

/**
 * Where a place is. It is the same place under both codes of a part of a country: Puerto Rico is located in PR and in the region PR
 * of US. The region is the one of the address, else that of the postal code. Nothing without a country.
 */
export function located(place: Place): readonly Located[] {
  const { country: given = '' } = place
  const country = countryOf(given) ?? countryMeant(given)
  if (country === undefined) return []
  const { postal_code = '', region = '' } = normalPlace({ ...place, country })
  const [whole, part] = (Object.hasOwn(partOf, country) ? partOf[country] : undefined) ?? []
  const here = locatedIn(country, region, postal_code)
  if (whole !== undefined && part !== undefined) return [here, locatedIn(whole, part, postal_code)]
  const parts = Object.entries(partOf).filter(
    ([, [of, name]]) => of === country && here.regions.some((one) => isWithin(of, one, name)),
  )
  const isOne = parts.length === 1 && here.regions.every((one) => isWithin(country, one, parts[0]?.[1][1]))
  return isOne ? [here, { country: parts[0]?.[0] ?? '', regions: [], isContradictory: false }] : [here]
}

function locatedIn(country: string, region: string, postalCode: string): Located {
  const code = regionOf(country, region) ?? (hasRegions(country) ? '' : folded(region))
  const told = regionsAt(country, plainPostalCode(postalCode))
  if (code === '' || (regionOf(country, region) === undefined && told.length > 0))
    return { country, regions: told, isContradictory: false }
  const parts = told.filter((one) => isWithin(country, one, code))
  const isPossible = told.length === 0 || parts.length > 0 || told.some((one) => isWithin(country, code, one))
  return { country, regions: parts.length > 0 ? parts : [code], isContradictory: !isPossible }
}
