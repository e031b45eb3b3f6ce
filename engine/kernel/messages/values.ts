import type { Catalogue, CodeOf } from '../catalogue.ts'

/** Problems of a single value. */
export const valueMessages = {
  value: {
    required: '{field} is required.',
    wrong_type: 'Expected {expected}, got {received}.',
    unknown_field: 'There is no field {field} here.[ Did you mean {meant}?]',
    too_long: 'At most {limit} allowed.',
    too_short: 'At least {limit} needed.',
    too_small: 'Must be {limit} or more.',
    too_large: 'Must be {limit} or less.',
    too_deep: 'At most {limit} levels allowed.',
    unknown_value: '{received} is not one of: {expected}.',
    bad_pattern: 'Does not have the required form: {expected}.',
    not_country: 'Expected a country as two capital letters (ISO 3166-1 alpha-2).',
    unknown_country: 'ISO 3166-1 has no country {received}.',
    country_meant: 'Do you mean {expected}? {received} is not the code of a country (ISO 3166-1 alpha-2).',
    unknown_region: 'The country has no region {received}. Expected a code or a name, for example {expected}.',
    not_a_postal_code: 'This is not a postal code of the country. Expected one as {expected}.',
    not_currency: 'Expected a currency as three capital letters (ISO 4217).',
    not_an_amount: 'Expected an amount as decimal text, for example 12.50.',
    street2_too_long: 'The lines of the street after the first have {expected} characters at most.',
    not_an_hs_code: 'Expected a code of the Harmonized System: 6 to 10 digits, for example 6109.10.',
    not_an_eori:
      'Expected an EORI number: the letters of a country and up to 15 letters and digits, for example DE1234567.',
    not_an_ioss_number:
      'Expected an IOSS number: IM, the number of a member state and 7 digits, for example IM2760000000.',
    no_value: 'Customs need a value above zero, for gifts and samples, too.',
    contents_unexplained: 'Contents of the type other need an explanation.',
    customs_required: 'Customs need {field} on this lane.',
    items_twice: 'Give the items either for the whole shipment or for each parcel, not both.',
    items_too_heavy: 'The items weigh {received} g, which is more than the {limit} g that they are sent with.',
    mixed_currencies: 'The values of all items must be in one currency: {received} is not {expected}.',
    ioss_elsewhere: 'An IOSS number is only for goods to the European Union or Northern Ireland.',
    ioss_too_much: 'With an IOSS number, goods are worth at most {limit} EUR, but these are worth {received}.',
    too_precise: 'At most {limit} decimals allowed in {currency}.',
    control_character: 'Control characters are not allowed.',
    web_address: 'Must not contain an address of the web.',
    not_well_formed: 'The text contains half of a surrogate pair, which is not valid Unicode.',
    blank: 'Must not be blank.',
    shortened_number: 'A spreadsheet has shortened this number: format the column as text.',
    decimal_number: 'A program has taken this for a decimal number: format the column as text.',
    spreadsheet_error: 'A spreadsheet could not calculate this, and has written an error in its place.',
    not_a_tag: 'Expected lower-case letters, digits, hyphens and underscores, for example cold-chain.',
    not_unique: 'This value is a duplicate.',
    not_a_url: 'Expected an absolute http or https URL.',
    not_a_date_time:
      '{field} is not a date-time: expected ISO 8601 with offset, for example 2026-06-10T09:30:00-04:00.',
    offset_missing: '{field} has no offset: expected ISO 8601 with offset, for example 2026-06-10T09:30:00-04:00.',
    no_such_date: '{field} is a date or time that does not exist.',
    not_a_day: '{field} is not a calendar day: expected YYYY-MM-DD.',
    no_such_day: 'This day does not exist in the calendar.',
    ends_before_start: 'The end must be after the start.',
    findings_cut: 'Only the first {limit} findings are listed; {more} more were found.',
  },
} as const satisfies Catalogue

/** A code for an invalid value. */
export type ValueCode = CodeOf<typeof valueMessages>
