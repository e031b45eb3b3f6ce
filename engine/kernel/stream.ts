/** Name of a stream: `category-id`. The category is the part before the first hyphen. */
export type StreamName = `${string}-${string}`

/** The category of a stream: `tracking` of `tracking-tracking_number:SR1`. */
export function categoryOf(stream: string): string {
  const end = stream.indexOf('-')
  return end < 0 ? stream : stream.slice(0, end)
}
