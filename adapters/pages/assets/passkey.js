// Asks a device for a passkey (WebAuthn, level 3) and sends its answer with the form; without a script there is no button.
const form = document.querySelector('form[data-passkey]')
const button = form.querySelector('button')
const failure = form.querySelector('[role="alert"]')

function bytes(text) {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}

function text(buffer) {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte))
  return btoa(letters.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

const named = (list = []) => list.map((one) => ({ ...one, id: bytes(one.id) }))

async function ask() {
  const options = JSON.parse(form.dataset.options)
  const challenge = bytes(options.challenge)
  if (form.dataset.passkey === 'create') {
    const user = { ...options.user, id: bytes(options.user.id) }
    const excludeCredentials = named(options.excludeCredentials)
    return navigator.credentials.create({ publicKey: { ...options, challenge, user, excludeCredentials } })
  }
  const allowCredentials = named(options.allowCredentials)
  return navigator.credentials.get({ publicKey: { ...options, challenge, allowCredentials } })
}

function answerOf({ id, rawId, type, authenticatorAttachment, response }) {
  const parts = { clientDataJSON: text(response.clientDataJSON) }
  for (const name of ['attestationObject', 'authenticatorData', 'signature', 'userHandle'])
    if (response[name]) parts[name] = text(response[name])
  if (response.getTransports) parts.transports = response.getTransports()
  return { id, rawId: text(rawId), type, authenticatorAttachment, response: parts, clientExtensionResults: {} }
}

async function send(event) {
  event.preventDefault()
  failure.hidden = true
  button.disabled = true
  try {
    form.elements.passkey.value = JSON.stringify(answerOf(await ask()))
    form.submit()
  } catch {
    // The owner has refused, or the device knows no passkey: the browser does not tell which.
    button.disabled = false
    failure.hidden = false
    failure.focus()
  }
}

if (window.PublicKeyCredential) {
  form.querySelector('.needs-script').hidden = true
  button.hidden = false
  form.addEventListener('submit', send)
}
