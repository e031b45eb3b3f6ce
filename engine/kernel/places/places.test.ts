import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { parse } from '../parse.ts'
import { addressEntries, addressed } from './address.ts'
import { country, countryMeant, countryOf } from './countries.ts'
import { hasImportShop, needsCustoms, stateOfImportShop } from './customs-areas.ts'
import { located, normalPlace, type Place, placed } from './place.ts'
import { plainPostalCode, postalCodeOf } from './postal-codes.ts'
import { regionRows } from './region-rows.ts'
import { countriesWithRegions, regionOf, regionsAt } from './regions.ts'

const text = v.exactOptional(v.string())
const address = placed(v.strictObject({ region: text, postal_code: text, country: v.exactOptional(country) }))

/** An address in its one form, or what is wrong with it. */
function read(given: Readonly<Record<string, string>>) {
  const { value, findings = [] } = parse(address, given)
  return value ?? findings.map(({ path, code, params }) => [path, code, params?.expected].filter(Boolean).join(' '))
}

t.test(
  'given a country as somebody writes it, when it is read, then it has one form, or what is meant is said',
  async (t) => {
    for (const given of ['CA', 'ca', ' Ca ']) t.same(read({ country: given }), { country: 'CA' }, given)
    for (const used of ['XK', 'XI', 'IC', 'PR', 'GU']) t.same(read({ country: used.toLowerCase() }), { country: used })
    const meant = [
      ...[
        ['uk', 'GB'],
        ['EL', 'GR'],
        ['EA', 'ES'],
        ['KV', 'XK'],
        ['CAN', 'CA'],
        ['gbr', 'GB'],
        ['Canada', 'CA'],
      ],
      ...[
        ['Kanada', 'CA'],
        ['Deutschland', 'DE'],
        ['España', 'ES'],
        ['日本', 'JP'],
        ['U.S.A.', 'US'],
        ['england', 'GB'],
      ],
      ...[
        ['Česko', 'CZ'],
        ['the moon', undefined],
      ],
    ] as const
    for (const [given, expected] of meant) t.equal(countryMeant(given), expected, given)
    t.same(read({ country: 'uk' }), ['country country_meant GB'])
    t.same(read({ country: 'Kanada' }), ['country country_meant CA'])
    for (const none of ['ZZ', 'AA', 'qm', 'XX', 'EU', 'UN', 'SU'])
      t.same(read({ country: none }), ['country unknown_country'], none)
    for (const none of ['', '1', 'C1', 'the moon', 'x'.repeat(5000)])
      t.same(read({ country: none }), ['country not_country'])
    const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
    const given = letters.flatMap((one) => letters.map((other) => one + other)).filter((code) => countryOf(code))
    t.equal(given.length, 249 + 3, 'those of ISO 3166-1, XK, XI and IC')
  },
)

/** How many regions ISO 3166-2 has (November 2026), with the six other codes of American addresses. */
const numbers = { CA: 13, US: 57 + 6, AU: 8, IN: 36, BR: 27, ES: 52 + 17, DE: 16, IT: 126, MX: 32 }

for (const [of, count] of Object.entries(numbers))
  t.test(
    `given a region of ${of}, when it is written by code or name in any way, then it is that region`,
    async (t) => {
      const rows = (regionRows[of] ?? '').trim().split('\n')
      t.equal(rows.length, count)
      for (const row of rows) {
        const [head = '', ...names] = row.split('|')
        const [code = '', larger] = head.split('<')
        for (const written of [
          code,
          code.toLowerCase(),
          ` ${code} `,
          `${of}-${code}`,
          `${of.toLowerCase()}-${code.toLowerCase()}`,
        ])
          t.same(read({ country: of, region: written }), { country: of, region: code }, written)
        for (const name of names) {
          const forms = [
            name,
            name.toLowerCase(),
            name.toUpperCase(),
            name.normalize('NFD'),
            `${name} (${code})`,
            `${name}, ${code}`,
          ]
          const found = new Set(forms.map((form) => regionOf(of, form)))
          // A region and the only province in it have one name.
          const isOne = found.size === 1 || (larger === undefined && [...found].every((one) => one !== undefined))
          t.ok(isOne, `${name}: ${[...found]}`)
          t.ok(
            found.has(code) || rows.some((other) => other.startsWith(`${[...found][0]}<${code}|`)),
            `${code} ${name}`,
          )
        }
      }
    },
  )

t.test(
  'given a region that nobody knows, when it is read, then the postal code tells it, or it is refused',
  async (t) => {
    const is = (region: string, postal_code = '') =>
      read({ country: 'CA', region, ...(postal_code && { postal_code }) })
    t.same(is('Greater Toronto Area', 'm5v1a1'), { country: 'CA', region: 'ON', postal_code: 'M5V 1A1' })
    t.same(is('Ontaro'), ['region unknown_region ON (Ontario)'])
    t.same(is('Ontario, Quebec'), ['region unknown_region ON (Ontario)'], 'one of the two')
    t.match(is('US-NY'), [/unknown_region/], 'of another country')
    t.same(is('Province of Ontario'), { country: 'CA', region: 'ON' })
    t.same(read({ country: 'US', region: 'New York State' }), { country: 'US', region: 'NY' })
    t.same(read({ country: 'ES', region: 'Asturias, Principado de' }), { country: 'ES', region: 'AS' })
    t.same(
      read({ country: 'ES', region: 'Murcia' }),
      { country: 'ES', region: 'MU' },
      'the province is all of its region',
    )
    t.same(read({ country: 'FR', region: ' Bretagne ' }), { country: 'FR', region: 'Bretagne' }, 'kept as it is')
    t.same(read({ country: 'GB', region: 'Kent' }), { country: 'GB', region: 'Kent' }, 'a county')
    t.same(read({ region: ' Ontario ' }), { region: 'Ontario' }, 'of no country')
  },
)

t.test('given a postal code, when it is read, then it is written as its country does, or is none', async (t) => {
  const is = (country: string, postal_code: string) => read({ country, postal_code })
  const written = [
    ...[
      ['CA', 'm5v1a1', 'M5V 1A1'],
      ['CA', 'm5v-1a1', 'M5V 1A1'],
      ['CA', 'M5V', 'M5V'],
      ['GB', 'sw1a1aa', 'SW1A 1AA'],
    ],
    ...[
      ['GB', 'm1 1ae', 'M1 1AE'],
      ['GB', 'SW1A', 'SW1A'],
      ['US', '100011234', '10001-1234'],
      ['US', '10001', '10001'],
    ],
    ...[
      ['DE', 'D-10115', '10115'],
      ['CH', 'CH-8001', '8001'],
      ['JP', '１００-０００１', '100-0001'],
      ['SE', '11120', '111 20'],
    ],
    ...[
      ['NL', '1012ab', '1012 AB'],
      ['NL', '1012', '1012'],
      ['PL', '00950', '00-950'],
      ['PT', '1000001', '1000-001'],
    ],
    ...[
      ['BR', '01310100', '01310-100'],
      ['IN', '110 001', '110001'],
      ['IE', 'd02x285', 'D02 X285'],
      ['PR', '00901', '00901'],
    ],
    ...[
      ['KZ', ' A15E3B4 ', 'A15E3B4'],
      ['CA', '00005', '00005'],
    ],
  ] as const
  for (const [country, given, code] of written)
    t.same(is(country, given), { country, postal_code: code }, `${country} ${given}`)
  const none = [
    ['CA', '12345'],
    ['CA', 'D5V 1A1'],
    ['US', '1234'],
    ['DE', '1234'],
    ['GB', '12345'],
    ['JP', '100'],
    ['AU', 'x'],
  ] as const
  for (const [country, given] of none)
    t.match(is(country, given), [/^postal_code not_a_postal_code ./], `${country} ${given}`)
})

t.test('given a postal code, when its region is asked, then it is told where the code tells it', async (t) => {
  const known = [
    ...[
      ['CA', 'M5V1A1', 'ON'],
      ['CA', 'H2X1Y4', 'QC'],
      ['CA', 'V6B', 'BC'],
      ['CA', 'X0A0H0', 'NU'],
      ['CA', 'X1A2B3', 'NT'],
    ],
    ...[
      ['CA', 'K1A0B1', 'ON QC'],
      ['CA', 'E1A1A1', 'NB'],
      ['CA', 'C1A1A1', 'PE'],
      ['CA', 'Y1A1A1', 'YT'],
      ['CA', 'R3C1A1', 'MB'],
    ],
    ...[
      ['US', '10001', 'NY'],
      ['US', '90210', 'CA'],
      ['US', '20500', 'DC'],
      ['US', '00901', 'PR'],
      ['US', '96910', 'GU'],
    ],
    ...[
      ['US', '99501', 'AK'],
      ['US', '06390', 'CT NY'],
      ['US', '42223', 'KY TN'],
      ['US', '73301', 'OK TX'],
      ['US', '02108', 'MA'],
    ],
    ...[
      ['AU', '2000', 'NSW'],
      ['AU', '2600', 'ACT'],
      ['AU', '2620', 'ACT NSW'],
      ['AU', '3000', 'VIC'],
      ['AU', '0800', 'NT'],
    ],
    ...[
      ['AU', '0872', 'NT SA WA'],
      ['AU', '4000', 'QLD'],
      ['AU', '5000', 'SA'],
      ['AU', '6000', 'WA'],
      ['AU', '7000', 'TAS'],
    ],
    ...[
      ['DE', '10115', 'BE'],
      ['DE', '80331', 'BY'],
      ['DE', '20095', 'HH'],
      ['DE', '50667', 'NW'],
      ['DE', '01067', 'SN'],
    ],
    ...[
      ['DE', '89312', 'BW BY'],
      ['DE', '22113', 'HH SH'],
      ['DE', '14715', 'BB ST'],
      ['DE', '70173', 'BW'],
      ['DE', '66111', 'SL'],
    ],
    ...[
      ['ES', '28001', 'M'],
      ['ES', '08001', 'B'],
      ['ES', '35001', 'GC'],
      ['ES', '38001', 'TF'],
      ['ES', '51001', 'CE'],
      ['ES', '52001', 'ML'],
    ],
    ...[
      ['IT', '00118', 'RM'],
      ['IT', '20121', 'MI'],
      ['IT', '20900', 'MB'],
      ['IT', '80121', 'NA'],
      ['IT', '39100', 'BZ'],
      ['IT', '11100', '23'],
    ],
    ...[
      ['BR', '01310100', 'SP'],
      ['BR', '20040020', 'RJ'],
      ['MX', '06000', 'CMX'],
      ['GB', 'BT11AA', 'NIR'],
      ['GB', 'SW1A1AA', 'GBN'],
    ],
    ...[
      ['IN', '110001', ''],
      ['FR', '75001', ''],
    ],
  ] as const
  for (const [country, code, expected] of known)
    t.equal(regionsAt(country, code).join(' '), expected, `${country} ${code}`)
  for (let first = 1; first <= 52; first++)
    t.equal(regionsAt('ES', `${String(first).padStart(2, '0')}001`).length, 1, `each province of Spain: ${first}`)
  for (const [of, rows] of Object.entries(regionRows))
    for (const one of Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, '0')))
      for (const region of regionsAt(of, `${one}00`))
        t.ok(rows.includes(`\n${region}|`) || rows.includes(`\n${region}<`), `${of} ${region}`)
})

t.test(
  'given a place that is part of another country, when it is located, then it is the same under both codes',
  async (t) => {
    const where = (place: Place) => located(place).map(({ country, regions }) => [country, ...regions].join(' '))
    const pairs: readonly (readonly [Place, Place])[] = [
      [{ country: 'PR' }, { country: 'US', region: 'Puerto Rico' }],
      [{ country: 'GU' }, { country: 'US', postal_code: '96910' }],
      [
        { country: 'IC', postal_code: '35001' },
        { country: 'ES', region: 'Las Palmas' },
      ],
      [{ country: 'XI' }, { country: 'GB', postal_code: 'BT1 1AA' }],
      [{ country: 'XI' }, { country: 'GB', region: 'Northern Ireland' }],
    ]
    for (const [one, other] of pairs)
      t.same(where(one).toSorted(), where(other).toSorted(), JSON.stringify([one, other]))
    t.same(where({ country: 'CA', region: 'on', postal_code: 'M5V' }), ['CA ON'])
    t.same(where({ country: 'ES', region: 'Cataluña', postal_code: '08001' }), ['ES B'], 'the smaller one')
    t.same(where({ country: 'GB', region: 'Kent', postal_code: 'ME14 1XX' }), ['GB GBN'])
    t.same(where({ country: 'UK', region: 'NIR' }), ['GB NIR', 'XI'], 'as addresses were kept before')
    t.same(where({ country: 'FR', region: 'Bretagne' }), ['FR bretagne'])
    t.same(where({ region: 'ON' }), [])
    const [contradictory] = located({ country: 'CA', region: 'ON', postal_code: 'H2X 1Y4' })
    t.equal(contradictory?.isContradictory, true)
  },
)

t.test('given any place, when it is normalised twice, then the second time changes nothing', async (t) => {
  const names = Object.values(regionRows).flatMap((rows) => rows.split(/[\n|<]/).filter(Boolean))
  const place = fc.record({
    country: fc.constantFrom(...countriesWithRegions, 'FR', 'NL', 'JP', 'PT', 'SE'),
    region: fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 30 })),
    postal_code: fc.oneof(
      fc.stringMatching(/^[A-Z0-9]{2,9}$/),
      fc.stringMatching(/^\d{4,8}$/),
      fc.stringMatching(/^[a-z]\d[a-z] ?\d[a-z]\d$/),
      fc.string({ maxLength: 12 }),
    ),
  })
  fc.assert(
    fc.property(place, (given) => {
      const once = normalPlace(given)
      t.same(normalPlace(once), once)
      const code = postalCodeOf(given.country, given.postal_code)
      if (code !== undefined) t.equal(postalCodeOf(given.country, code), code)
      const { value } = parse(address, given)
      if (value !== undefined) t.same(parse(address, value).value, value, 'what was taken is taken again')
      return t.passing()
    }),
    { numRuns: 1000 },
  )
  t.equal(plainPostalCode('m5v\u20131a1'), 'M5V1A1', 'any dash')
})

t.test(
  'given a street of several lines, when it is read, then the first is the street, and the others its second line',
  async (t) => {
    const schema = addressed(v.strictObject(addressEntries))
    const linesOf = (given: object) => {
      const { value, findings = [] } = parse(schema, given)
      return value ?? findings.map(({ path, code }) => `${path} ${code}`).join(' ')
    }
    const kinds: readonly (readonly [given: string, street: string, street2?: string])[] = [
      ['1 Elm\nApt 4', '1 Elm', 'Apt 4'],
      ['1 Elm\r\nApt 4', '1 Elm', 'Apt 4'],
      ['1 Elm\rApt 4', '1 Elm', 'Apt 4'],
      ['1 Elm\vApt 4', '1 Elm', 'Apt 4'],
      ['1 Elm\u2028Apt 4', '1 Elm', 'Apt 4'],
      ['1 Elm\u0085Apt 4', '1 Elm', 'Apt 4'],
      ['1 Elm,\n\n  Apt 4 \n', '1 Elm', 'Apt 4'],
      ['\n1 Elm\n', '1 Elm'],
      ['1\tElm', '1 Elm'],
      ['1 Elm\tRoad\nApt\t4', '1 Elm Road', 'Apt 4'],
      ['Haus Linde\nTreppe 2;\n3. Stock\nTür 7', 'Haus Linde', 'Treppe 2, 3. Stock, Tür 7'],
      ['青禾路8号\r\n2栋301室', '青禾路8号', '2栋301室'],
      ['1 Elm, Apt 4', '1 Elm, Apt 4'],
    ]
    for (const [given, street, street2] of kinds) {
      const read = { street, ...(street2 !== undefined && { street2 }) }
      t.same(linesOf({ street: given }), read, encodeURIComponent(given))
      t.same(linesOf(read), read, 'once more, nothing changes')
    }
    t.same(linesOf({ street: '1 Elm\nFloor 2', street2: 'Apt 4\nDoor 1' }), {
      ...{ street: '1 Elm', street2: 'Floor 2, Apt 4, Door 1' },
    })
    const whole = { street: '1 Elm', street2: 'Apt 4', locality: 'Le Mans CEDEX 9', country: 'FR' }
    const said = linesOf({ country: 'FR', locality: 'Le Mans\nCEDEX 9', street: '1 Elm\nApt 4' })
    t.equal(JSON.stringify(said), JSON.stringify(whole), 'the same text, so that nothing seems to have changed')
    for (const [street, problem] of [
      ['\n\t ', 'street blank'],
      ['1 Elm\u0000Apt 4', 'street control_character'],
      ['1 Elm\u001bApt 4', 'street control_character'],
      ['1 Elm\n\ud800', 'street not_well_formed'],
      ['x'.repeat(201), 'street too_long'],
    ] as const)
      t.equal(linesOf({ street }), problem)
    t.equal(linesOf({ street: `1 Elm\n${'x'.repeat(100)}`, street2: 'y'.repeat(120) }), 'street2 street2_too_long')
  },
)

t.test(
  'given two places, when goods go from one to the other, then customs are concerned where their areas differ',
  async (t) => {
    const place = (text: string): Place => {
      const [country = '', postal_code, region] = text.split(' ')
      return { country, ...(postal_code && { postal_code }), ...(region && { region }) }
    }
    const lanes: readonly (readonly [from: string, to: string, isNeeded: boolean, back?: boolean])[] = [
      ['CA', 'CA', false],
      ['CA', 'US', true],
      ['DE', 'FR', false],
      ['DE', 'CH', true],
      ['DE', 'NO', true],
      ['DE', 'TR', true],
      ['CH', 'LI', false],
      ['FR', 'MC', false],
      ['FR', 'AD', true],
      ['IT', 'SM', true],
      ['IT 20121', 'IT 47890', true],
      ['IT 20121', 'IT 23041', true],
      ['IT 20121', 'IT 22061', true],
      ['IT 20121', 'IT 00120', true],
      ['IT 20121', 'IT 00118', false],
      ['ES 28001', 'IC', true],
      ['ES 28001', 'ES 35001', true],
      ['ES 28001', 'ES  GC', true],
      ['ES 38001', 'IC 35001', false],
      ['ES 28001', 'ES 51001', true],
      ['ES 51001', 'ES 52001', true],
      ['ES 28001', 'PT 9000-001', false],
      ['DE 10115', 'DE 27498', true],
      ['DE 10115', 'DE 78266', true],
      ['CH', 'DE 78266', false],
      ['GR 10431', 'GR 63086', true],
      ['FI 00100', 'AX', true],
      ['FI 22100', 'AX 22100', false],
      ['FR 75001', 'RE', true],
      ['FR 75001', 'FR 97400', true],
      ['FR 97400', 'RE', false],
      ['DK', 'FO', true],
      ['DK 1050', 'DK 3900', true],
      ['GB', 'IM', false],
      ['GB', 'JE', true],
      ['GB SW1A1AA', 'GB JE23AB', true],
      ['GB', 'DE', true],
      ['GB', 'XI', true, false],
      ['GB SW1A1AA', 'GB BT11AA', true, false],
      ['GB', 'GB  NIR', true, false],
      ['XI', 'IE', false],
      ['XI', 'NO', true],
      ['US', 'PR', false],
      ['US 10001', 'US 96910', true],
      ['US', 'GU', true],
      ['US', 'US 09012 AE', true],
      ['US', 'US  AP', true],
      ['CN', 'HK', true],
      ['AU 2000', 'AU 2899', true],
      ['NO 0150', 'NO 9170', true],
    ]
    for (const [from, to, isNeeded, back = isNeeded] of lanes) {
      t.equal(needsCustoms(place(from), place(to)), isNeeded, `${from} to ${to}`)
      t.equal(needsCustoms(place(to), place(from)), back, `${to} to ${from}`)
    }
    for (const to of ['DE', 'XI', 'MC', 'GB BT11AA']) t.ok(hasImportShop(place(to)), to)
    for (const to of ['GB', 'CH', 'IC', 'ES 35001', 'US']) t.notOk(hasImportShop(place(to)), to)
    t.equal(stateOfImportShop('IM2760000123'), 'DE')
    for (const number of ['IM8260000123', 'IM276000012', 'DE2760000123', ''])
      t.equal(stateOfImportShop(number), undefined)
  },
)
