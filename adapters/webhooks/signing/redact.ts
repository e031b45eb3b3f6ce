const signatures = new Set([
  'signature',
  'x-webhook-signature',
  'x-webhook-signature-v2',
  'x-ohp-signature',
  'webhook-signature',
  'gs1-signature',
])

/** Headers for the log. Of each signature only the beginning is kept, enough to compare it by eye. */
export function redactedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, signatures.has(name.toLowerCase()) ? cut(value) : value]),
  )
}

function cut(signature: string): string {
  return signature.replace(/[\w+/]{16,}=*/g, (text) => `${text.slice(0, 8)}...`)
}
