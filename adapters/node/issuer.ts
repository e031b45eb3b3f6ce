/** An authorization server of somebody else, whose tokens agents may show. */
export interface OutsideIssuer {
  /** Exact `iss` of its tokens. */
  readonly issuer: string
  /** Domains whose verified email addresses find an account; without them, an account has to be linked. */
  readonly emailDomains: readonly string[]
}

/** `OTEP_OAUTH_ISSUER` and `OTEP_OAUTH_EMAIL_DOMAINS`, if an issuer is set. */
export function issuerFrom({
  OTEP_OAUTH_ISSUER: issuer,
  OTEP_OAUTH_EMAIL_DOMAINS: listed = '',
}: Readonly<Record<string, string | undefined>>): OutsideIssuer | undefined {
  const emailDomains = listed.split(',').flatMap((domain) => domain.trim().toLowerCase() || [])
  const wrong = emailDomains.find((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
  if (wrong !== undefined)
    throw new Error(`OTEP_OAUTH_EMAIL_DOMAINS must list domains such as one.example, two.example, not ${wrong}`)
  if (!issuer) {
    if (emailDomains.length > 0) throw new Error('OTEP_OAUTH_EMAIL_DOMAINS needs OTEP_OAUTH_ISSUER.')
    return undefined
  }
  const isOpen = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/.test(issuer)
  if (!URL.canParse(issuer) || !(isOpen || /^https:\/\/[^\s?#@]+$/.test(issuer)))
    throw new Error('OTEP_OAUTH_ISSUER must be an https address without a query, or http on this machine.')
  return { issuer, emailDomains }
}
