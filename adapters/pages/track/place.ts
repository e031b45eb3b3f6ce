import type { Location } from '../../../engine/index.ts'

const names = new Map<string, Intl.DisplayNames>()

/**
 * A place in one line, from name to country, with the country in the language of the reader; empty if nothing names it.
 * Coordinates and codes name no place to a person, but a UN/LOCODE begins with its country.
 */
export function placeText({ name, unlocode, address = {} }: Location = {}, language: string): string {
  const country = countryName(address.country ?? unlocode?.slice(0, 2), language)
  const parts = [name, address.locality, address.region, country].filter((part) => part?.trim())
  return [...new Set(parts)].join(', ')
}

function countryName(code: string | undefined, language: string): string | undefined {
  if (code === undefined || !/^[A-Za-z]{2}$/.test(code)) return code
  const known = names.get(language) ?? new Intl.DisplayNames(language, { type: 'region' })
  names.set(language, known)
  return known.of(code.toUpperCase())
}
