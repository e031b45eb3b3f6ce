type Rgb = readonly [red: number, green: number, blue: number]

/** The grounds on which pages write in the accent colour, as in `track.css`: cards, the page, and what is highlighted. */
export const grounds = {
  light: ['#ffffff', '#f4f6f8', '#eef4fb'],
  dark: ['#161e28', '#0e141b', '#1a2838'],
} as const

/** Smallest contrast of text (WCAG 2.2, 1.4.3, level AA). */
export const readable = 4.5

const steps = 64

/**
 * A colour as it can be read in light and in dark: as little darker or lighter as needed. Nothing is refused, because the
 * yellow of a brand is no mistake.
 */
export function accentsFor(color: string): Readonly<Record<'light' | 'dark', string>> {
  return { light: readableOn(color, grounds.light, '#000000'), dark: readableOn(color, grounds.dark, '#ffffff') }
}

function readableOn(color: string, on: readonly string[], towards: string): string {
  for (let step = 0; step < steps; step++) {
    const mixed = mix(color, towards, step / steps)
    if (on.every((ground) => contrast(mixed, ground) >= readable)) return mixed
  }
  return towards
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(color: string, towards: string, share: number): string {
  const target = rgbOf(towards)
  const mixed = rgbOf(color).map((value, place) => Math.round(value + ((target[place] ?? value) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 0xff, value & 0xff]
}
