import type { Location } from '../../../engine/index.ts'
import { inEach } from '../../locales/catalogue.ts'

/** The names of countries. */
const countries = inEach((language) => new Intl.DisplayNames(language, { type: 'region' }))

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
  return countries(language).of(code.toUpperCase())
}
