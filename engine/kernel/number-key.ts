/** The form in which the numbers of parcels and orders are compared: no white space, upper case, Unicode NFC. */
export function numberKey(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\s+/g, '').toUpperCase()
}
