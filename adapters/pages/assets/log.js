// Keeps a part of a page current, unless somebody is choosing in it or the page is not seen. `data-live` has the seconds between.
const pause = 1_000 * (document.querySelector('[data-live]')?.dataset.live || 5)

async function update() {
  const part = document.querySelector('[data-live]')
  const isChoosing = part?.querySelector(':checked') ?? part?.contains(document.activeElement)
  if (!part || isChoosing || document.hidden) return
  const url = new URL(location.href)
  for (const name of ['said', 'seal']) url.searchParams.delete(name)
  const response = await fetch(url, { headers: { Accept: 'text/html' } })
  if (!response.ok || response.redirected) return
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = next.querySelector('[data-live]')
  if (fresh && fresh.innerHTML !== part.innerHTML && !part.querySelector(':checked')) part.replaceWith(fresh)
}

async function keepUpdating() {
  await update().catch(() => {})
  setTimeout(keepUpdating, pause)
}

setTimeout(keepUpdating, pause)
