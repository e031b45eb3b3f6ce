/** Reads the URL of a setting. The error does not repeat the value, which may contain a password. */
export function urlFrom(env: Readonly<Record<string, string | undefined>>, name: string): URL | undefined {
  const text = env[name]
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Error(`${name} must be an http or https URL.`)
  return url
}

/**
 * Where the spans of the server are sent, as the OpenTelemetry specification says: the endpoint of the signal is used unchanged, the common endpoint is a base.
 */
export function tracesUrlFrom(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const base = urlFrom(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')?.href.replace(/\/*$/, '/v1/traces')
  return urlFrom(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')?.href ?? base
}

/** `OTEP_OTLP_EXPORT`: the address of a receiver of traces; without a path, that of its default. */
export function journeysUrlFrom(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const url = urlFrom(env, 'OTEP_OTLP_EXPORT')
  if (url !== undefined && url.pathname === '/') url.pathname = '/v1/traces'
  return url?.href
}
