const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Milliseconds without news after which a carrier is not asked any more. */
export const longestSilence = 30 * day

/**
 * How old the last news of a parcel is whenever its carrier is asked, in milliseconds: at first after a quarter of an hour, then
 * less and less often, but every six hours in the first week, and once a day until a month is over. The times follow from the
 * news alone, so that nothing is stored when a carrier has no news.
 */
export const pollAges: readonly number[] = agesUntil(longestSilence)

function agesUntil(end: number): readonly number[] {
  const ages: number[] = []
  for (let [age, pause] = [15 * minute, 15 * minute]; age <= end; age += pause) {
    ages.push(age)
    pause = age < 7 * day ? Math.min(6 * hour, pause * 1.5) : day
  }
  return ages
}
