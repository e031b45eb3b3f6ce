/** Lines of events without what they tell of people, as a scanner in a depot sends them: nothing of them is sealed. */
export function impersonal(lines: readonly string[]): readonly string[] {
  return lines.map((line) => {
    const { description, pod, location, ...event } = JSON.parse(line) as Line
    const { latitude, longitude, ...place } = location
    return JSON.stringify({ ...event, location: place })
  })
}

interface Line {
  readonly description: string
  readonly pod?: object
  readonly location: { readonly latitude: number; readonly longitude: number }
}
