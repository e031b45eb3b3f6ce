// Keeps the page of a timeline up to date: on each change the same page is fetched again and its content taken over.
const main = document.querySelector('main')
const state = document.querySelector('.live')
const announcement = document.getElementById('announcement')
const retryAfter = 5000
let source
let isRefreshing = false
let isStale = false

function say(name) {
  state.dataset.state = name
  state.textContent = state.dataset[name]
}

function connect() {
  source = new EventSource(main.dataset.stream)
  source.addEventListener('open', () => say('on'))
  source.addEventListener('error', () => say(source.readyState === EventSource.CLOSED ? 'off' : 'waiting'))
  source.addEventListener('tracking', refresh)
  source.addEventListener('reset', refresh)
}

/** One fetch at a time; what changes meanwhile asks for one more. */
async function refresh() {
  isStale = true
  if (isRefreshing) return
  isRefreshing = true
  try {
    while (isStale) {
      isStale = false
      await takeOver()
    }
  } catch {
    setTimeout(refresh, retryAfter)
  } finally {
    isRefreshing = false
  }
}

/** The page with its times in the time zone of the reader. */
function address() {
  const url = new URL(location.href)
  url.searchParams.set('tz', Intl.DateTimeFormat().resolvedOptions().timeZone)
  return url
}

/** Whether a time on the page is not local to the reader. */
function isElsewhere({ dateTime }) {
  const [hours, minutes] = (/[+-]\d\d:\d\d$/.exec(dateTime)?.[0] ?? '+00:00').split(':')
  const ahead = 60 * Number(hours) + (hours.startsWith('-') ? -1 : 1) * Number(minutes)
  return ahead !== -new Date(dateTime).getTimezoneOffset()
}

async function takeOver() {
  const response = await fetch(address(), { cache: 'no-cache', headers: { Accept: 'text/html' } })
  if (!response.ok) throw new Error(`The page answered ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const next = page.querySelector('main')
  const kept = remember()
  const known = new Set([...main.querySelectorAll('[data-event]')].map((item) => item.dataset.event))
  for (const item of next.querySelectorAll('.events > .timeline > [data-event]')) {
    if (!known.has(item.dataset.event)) item.classList.add('fresh')
  }
  const isNews = next.dataset.stream !== main.dataset.stream && next.dataset.announcement !== main.dataset.announcement
  Object.assign(main.dataset, { ...next.dataset })
  main.replaceChildren(...next.childNodes)
  document.title = page.title
  restore(kept)
  offerSharing()
  if (isNews) announcement.textContent = main.dataset.announcement
}

/** What the reader has opened and typed, and where the focus is. */
function remember() {
  const focused = main.contains(document.activeElement) ? document.activeElement : undefined
  const typed = [...main.querySelectorAll('input:not([type=hidden], [readonly])')].map(({ id, value }) => [id, value])
  const open = [...main.querySelectorAll('details[open]')].map(({ dataset }) => dataset.key)
  return { open, focused: focused && keyOf(focused), typed }
}

function restore({ open, focused, typed }) {
  for (const [id, value] of typed) {
    const input = document.getElementById(id)
    if (value && input !== null) input.value = value
  }
  for (const details of main.querySelectorAll('details')) if (open.includes(details.dataset.key)) details.open = true
  if (focused === undefined) return
  const again = [...main.querySelectorAll('a, summary, input, button')].find((element) => keyOf(element) === focused)
  ;(again ?? main).focus({ preventScroll: true })
}

function keyOf(element) {
  return element.id || element.getAttribute('href') || element.closest('details')?.dataset.key
}

/** The button passes the address on where the browser can, and copies it elsewhere. */
function offerSharing() {
  const button = main.querySelector('.share button')
  button.hidden = false
  if (!navigator.share) button.textContent = button.dataset.copy
  button.addEventListener('click', () => share(button, main.querySelector('.share input')))
}

async function share(button, { value: url }) {
  try {
    if (navigator.share) return await navigator.share({ title: document.title, url })
    await navigator.clipboard.writeText(url)
    button.textContent = button.dataset.copied
    announcement.textContent = button.dataset.copied
  } catch (error) {
    // Whoever closes the dialog wants nothing more. Pages that are not secure have no clipboard: the address is selected.
    if (error.name !== 'AbortError') main.querySelector('.share input').select()
  }
}

offerSharing()
connect()
// The answer to a form is not fetched again, because its alert would be lost.
const isAnswer = main.querySelector('[role=alert]') !== null
if (!isAnswer && [...main.querySelectorAll('time')].some(isElsewhere)) refresh()
addEventListener('pagehide', () => source.close())
addEventListener('pageshow', (event) => {
  if (event.persisted) connect()
})
