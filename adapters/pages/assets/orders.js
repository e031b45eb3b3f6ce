// Keeps a page of orders current, and moves through a list by keys. Without it, everything works but these two.
const live = document.querySelector('[data-live]')
let isStale = false
let isBusy = false

/** Nothing is replaced under the hands of somebody: what has the focus gets it again, and what is open stays open. */
async function update() {
  isStale = true
  if (isBusy || document.hidden) return
  isBusy = true
  try {
    while (isStale) {
      isStale = false
      const url = new URL(location.href)
      for (const name of ['said', 'seal']) url.searchParams.delete(name)
      const response = await fetch(url, { headers: { Accept: 'text/html' } })
      if (!response.ok || response.redirected) return
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      const fresh = page.querySelector('[data-live]')
      if (fresh) takeOver(fresh)
    }
  } finally {
    isBusy = false
  }
}

function takeOver(fresh) {
  const focused = live.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null
  const open = [...live.querySelectorAll('details')].map((part) => part.open)
  const scrolled = live.querySelector('.wide-table')?.scrollLeft ?? 0
  live.replaceChildren(...fresh.childNodes)
  for (const [place, part] of live.querySelectorAll('details').entries()) part.open = open[place] ?? false
  live.querySelector('.wide-table')?.scrollTo({ left: scrolled })
  if (focused !== null) live.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
}

function move(by) {
  const rows = [...document.querySelectorAll('[data-row]')]
  const at = rows.indexOf(document.activeElement)
  const next = at === -1 ? (by > 0 ? 0 : rows.length - 1) : at + by
  rows[Math.max(0, Math.min(rows.length - 1, next))]?.focus()
}

const keys = { j: () => move(1), k: () => move(-1), '/': () => document.getElementById('q')?.focus() }

function isWriting({ target }) {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event) || !Object.hasOwn(keys, event.key)) return
  event.preventDefault()
  keys[event.key]()
})

document.querySelector('.keyboard')?.removeAttribute('hidden')

if (live) {
  const source = new EventSource('/orders/live')
  const own = /^\/orders\/(\d+)$/.exec(location.pathname)?.[1]
  source.addEventListener('orders', ({ data }) => {
    if (own === undefined || JSON.parse(data).includes(Number(own))) update().catch(() => {})
  })
  // What changed before the connection, or while it was lost.
  source.addEventListener('open', () => update().catch(() => {}))
  document.addEventListener('visibilitychange', () => isStale && update().catch(() => {}))
}
