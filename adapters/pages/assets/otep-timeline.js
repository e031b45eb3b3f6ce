// <otep-timeline number="..." src="...">: the page of a timeline as a part of another page, kept up to date.
const home = new URL(import.meta.url).origin
const retryAfter = 5000
const pauseBetween = 200

/** What belongs to the page of a timeline and not to a part of another page. */
const left = 'form, .news, .opener, .identifiers, .share'

/** What a timeline is made of. Whatever else the server answers, even the wrong one, does not get into the other page. */
const elements = [
  ...['a', 'b', 'bdi', 'dd', 'details', 'div', 'dl', 'dt', 'figure', 'footer', 'h1', 'h2', 'h3', 'h4', 'h5', 'header'],
  ...['img', 'li', 'nav', 'ol', 'p', 'section', 'span', 'summary', 'time', 'ul'],
  ...['svg', 'path', 'circle', 'polyline', 'text'],
]
const attributes = [
  ...['class', 'id', 'lang', 'dir', 'role', 'tabindex', 'title', 'hidden', 'open', 'reversed', 'datetime'],
  ...['href', 'hreflang', 'rel', 'src', 'alt', 'width', 'height', 'loading', 'decoding', 'fetchpriority'],
  ...['viewBox', 'fill', 'd', 'cx', 'cy', 'r', 'x', 'y', 'points', 'text-anchor'],
]
const protocols = ['https:', 'http:', 'mailto:', 'tel:']

/** Removes what a timeline is not made of, and completes the addresses of the rest. */
function tidy(main, address) {
  for (const element of main.querySelectorAll('*')) {
    if (!elements.includes(element.localName) || element.matches(left)) element.remove()
    else for (const name of element.getAttributeNames()) tidyAttribute(element, name, address)
  }
}

function tidyAttribute(element, name, address) {
  if (!attributes.includes(name) && !/^(aria|data)-/.test(name)) return element.removeAttribute(name)
  if (name !== 'href' && name !== 'src') return
  const given = element.getAttribute(name)
  const url = URL.canParse(given, address) ? new URL(given, address) : undefined
  if (protocols.includes(url?.protocol)) element.setAttribute(name, url.href)
  else element.removeAttribute(name)
}

/** An address that a page names, which must be of its own server. */
function own(name, address) {
  const url = new URL(name, address)
  if (url.origin !== address.origin) throw new Error(`${url.origin} is another server`)
  return url
}

class Timeline extends HTMLElement {
  static observedAttributes = ['number', 'src', 'lang', 'link']
  #styles = document.createElement('link')
  #view = document.createElement('div')
  #news = document.createElement('p')
  #source
  #timer
  #turn = 0

  constructor() {
    super()
    this.#styles.rel = 'stylesheet'
    this.#view.className = 'track themed'
    this.#news.className = 'hidden'
    this.#news.setAttribute('role', 'status')
    // Until there is something to show, the element shows its own content.
    this.attachShadow({ mode: 'open' }).append(document.createElement('slot'))
  }

  connectedCallback() {
    this.#loadSoon(0)
  }

  disconnectedCallback() {
    this.#turn++
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = undefined
  }

  attributeChangedCallback() {
    this.#source?.close()
    this.#source = undefined
    if (this.isConnected) this.#loadSoon(0)
  }

  #loadSoon(wait) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#load(), wait)
  }

  /** The page of the number, in the language of the place and the time zone of the reader. */
  #address() {
    const number = this.getAttribute('number') ?? ''
    const url = new URL(
      `/track/${encodeURIComponent(number)}`,
      new URL(this.getAttribute('src') || home, location.href),
    )
    url.searchParams.set('tz', Intl.DateTimeFormat().resolvedOptions().timeZone)
    const { lang } = this.closest('[lang]') ?? {}
    if (lang) url.searchParams.set('lang', lang)
    const link = this.getAttribute('link')
    if (link) url.searchParams.set('link', link)
    return url
  }

  /** Shows the page; an answer that comes after that to a later question is not shown. */
  async #load() {
    const turn = ++this.#turn
    if (!this.getAttribute('number')) return
    try {
      const address = this.#address()
      const response = await fetch(address, {
        cache: 'no-cache',
        credentials: 'omit',
        headers: { Accept: 'text/html' },
      })
      if (!response.ok && response.status !== 404) throw new Error(`The page answered ${response.status}`)
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      if (turn === this.#turn) this.#show(page, address)
    } catch {
      if (turn === this.#turn) this.#loadSoon(retryAfter)
    }
  }

  #show(page, address) {
    const main = page.querySelector('main')
    tidy(main, address)
    // The headings of the page around it come first.
    for (const heading of main.querySelectorAll('h1, h2, h3, h4, h5'))
      heading.setAttribute('aria-level', String(Number(heading.localName.slice(1)) + 1))
    this.#fill(main, page.documentElement)
    this.#style(own(page.querySelector('link[rel=stylesheet]').getAttribute('href'), address).href)
    this.#follow(main.dataset.stream, address)
  }

  /** Takes over the content; what the reader has opened stays open. */
  #fill(main, { lang, dir }) {
    const open = [...this.#view.querySelectorAll('details[open]')].map(({ dataset }) => dataset.key)
    Object.assign(this.#view, { lang, dir })
    this.#view.replaceChildren(...main.childNodes)
    for (const details of this.#view.querySelectorAll('details')) details.open = open.includes(details.dataset.key)
    const isNews = this.#view.dataset.said !== undefined && this.#view.dataset.said !== main.dataset.announcement
    if (isNews) this.#news.textContent = main.dataset.announcement ?? ''
    this.#view.dataset.said = main.dataset.announcement ?? ''
  }

  /** Nothing is shown before its styles are there. */
  #style(href) {
    if (this.#styles.href === href) return
    this.#view.hidden = true
    this.#styles.onload = this.#styles.onerror = () => {
      this.#view.hidden = false
      this.shadowRoot.querySelector('slot')?.remove()
    }
    this.#styles.href = href
    this.shadowRoot.append(this.#styles, this.#view, this.#news)
  }

  #follow(stream, address) {
    if (stream === undefined || this.#source !== undefined) return
    this.#source = new EventSource(own(stream, address))
    for (const name of ['tracking', 'reset']) this.#source.addEventListener(name, () => this.#loadSoon(pauseBetween))
    this.#source.addEventListener('error', ({ target }) => {
      if (target.readyState !== EventSource.CLOSED || target !== this.#source) return
      this.#source = undefined
      this.#loadSoon(retryAfter)
    })
  }
}

if (!customElements.get('otep-timeline')) customElements.define('otep-timeline', Timeline)
