import { clearCaches } from '../../projections/shared/template/index.ts'

/**
 * Drops the texts that formats have cached, every half minute until `signal` is aborted. Another process may have erased
 * personal data, such as a command or another node, and does not tell this one.
 */
export function dropCachedTexts(signal: AbortSignal, interval = 30_000): void {
  const timer = setInterval(clearCaches, interval).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
