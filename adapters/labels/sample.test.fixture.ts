import type { PrintedLabel } from '../../engine/index.ts'

/** A label with all that one can have. */
export const label: PrintedLabel = {
  from: { name: 'Lee Shop', lines: ['2 Dock Road', 'Toronto ON M5V 2T6', 'CANADA'] },
  to: { name: 'Ann Lee', lines: ['1 Main Street', 'Toronto ON M5V 2T6', 'CANADA'], phone: '+1 416 555 0101' },
  number: 'LD00004200000000017',
  url: 'https://ship.example.com/track/LD00004200000000017',
  service: 'SAME-DAY',
  parcel: { number: 2, of: 3 },
  reference: 'PO-1001',
  day: '2026-11-27',
  weight_grams: 1250,
  note: 'Ring twice.',
}

/** A label for somebody of this name in this street. */
export function to(name: string, street: string): PrintedLabel {
  return { ...label, to: { name, lines: [street] } }
}
