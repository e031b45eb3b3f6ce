import { safeParse } from 'valibot'
import { type Fidelity, mediaTypeOf, type Projection, representationsOf } from '../../../engine/index.ts'
import { profiles } from '../../../profiles/index.ts'
import { optionsOf, targetsOf } from './documents.ts'
import { eachOf, type Faults, type Rule, type Rules, unless } from './rules.ts'
import { wholeTimeline } from './samples.ts'

const fidelities: readonly Fidelity[] = ['=', '~', 'none']

const ownName: Rule = ({ name, title, standard, version }, { formats }) => [
  ...unless(/^[a-z][a-z0-9]*$/.test(name), `${name} is no word of small letters`),
  ...unless(formats.filter((format) => format.name === name).length <= 1, `${name} names two formats`),
  ...unless(
    [title, standard, version].every((text) => text.trim() !== ''),
    'title, standard or version is empty',
  ),
]

const ownMediaTypes: Rule = (format, { formats }) => {
  const typesOf = (one: Projection) => representationsOf(one).map((form) => mediaTypeOf(one, form))
  const all = formats.flatMap(typesOf)
  return typesOf(format).flatMap((type) => [
    ...unless(all.filter((other) => other === type).length === 1, `${type} is given out twice`),
    ...unless(/^[a-z]+\/[a-z0-9.+-]+;/.test(type), `${type} is no media type`),
  ])
}

const wholeTable: Rule = ({ codes }) => {
  return profiles.flatMap((profile) => tableFaults(profile.name, Object.keys(profile.codes), codes(profile)))
}

function tableFaults(profile: string, registered: readonly string[], table: ReturnType<Projection['codes']>): Faults {
  const missing = [...registered, 'x-*'].filter((code) => !Object.hasOwn(table, code))
  const strange = Object.keys(table).filter((code) => !registered.includes(code) && !code.startsWith('x-'))
  return [
    ...missing.map((code) => `${profile} lacks ${code}`),
    ...strange.map((code) => `${profile} has no code ${code}`),
    ...Object.entries(table).flatMap(([code, { fidelity, value }]) => [
      ...unless(fidelities.includes(fidelity), `${code} has the fidelity ${fidelity}`),
      ...unless((fidelity === 'none') === (value === ''), `${code} is ${fidelity} with the value "${value}"`),
    ]),
  ]
}

const tellsLosses: Rule = ({ external, codes, losses }) => {
  const lossy = profiles.some((profile) => Object.values(codes(profile)).some(({ fidelity }) => fidelity !== '='))
  return [
    ...unless(!external || !lossy || losses.length > 0, 'codes lose meaning, and it tells of no loss'),
    ...losses.flatMap((loss) => unless(/^\S.* .*\.$/s.test(loss), `"${loss}" is no sentence`)),
    ...unless(new Set(losses).size === losses.length, 'a loss is listed twice'),
  ]
}

const strictOptions: Rule = (format) => {
  const { options } = format
  if (options === undefined) return []
  const takes = (input: object) => safeParse(options, input).success
  return eachOf(Object.entries(optionsOf(format)), ([name, values]) => [
    ...unless(new Set(values).size === values.length, `${name} lists a value twice`),
    ...values.flatMap((value) => unless(takes({ [name]: value }), `${name}=${value} is refused`)),
    ...['no-such-value', '', '__proto__'].flatMap((value) =>
      unless(!takes({ [name]: value }), `${name}=${value} is accepted`),
    ),
    ...unless(!takes({ 'no-such-option': 'x' }), 'an unknown option is accepted'),
    ...unless(takes({}), 'no option at all is refused'),
    ...differs(format, name),
  ])
}

/** An option must change something. */
function differs(format: Projection, name: string): Faults {
  const texts = targetsOf(format)
    .filter(({ options }) => Object.hasOwn(options, name))
    .map((target) => JSON.stringify(format.project(wholeTimeline, target)))
  return unless(new Set(texts).size === texts.length, `two values of ${name} give the same document`)
}

/** How a format presents itself. */
export const formRules: Rules = {
  'it has a name of its own, a title, a standard and a version': ownName,
  'each of its media types is given out by no other form of any format': ownMediaTypes,
  'its table has a row for every code of every profile and for x-*, each with a legal fidelity': wholeTable,
  'it tells its losses in sentences': tellsLosses,
  'each value of its options works, and anything else is refused': strictOptions,
}
