import type { Profile, Target, Timeline } from '../../engine/index.ts'
import { profiles as builtIn } from '../../profiles/index.ts'

/** The profiles that timelines may have; the first is assumed where a document names none. */
export function profilesOf({ profiles = builtIn }: Pick<Target, 'profiles'>): readonly [Profile, ...Profile[]] {
  return profiles
}

/** The profile of a timeline; one without codes if there is none of that name. */
export function profileOf({ profile: name }: Pick<Timeline, 'profile'>, target: Pick<Target, 'profiles'>): Profile {
  return profilesOf(target).find((profile) => profile.name === name) ?? { ...unknown, name }
}

const unknown = {
  ...({ version: '0', status: 'draft', transitions: '' } as const),
  ...{ phases: [], sidePhases: [], codes: {}, first: [] },
}
