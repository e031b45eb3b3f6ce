// A file that is chosen or dropped is read into the field; without a script, the form sends it. Downloads need a script.
const form = document.querySelector('form.try')
const field = form.querySelector('textarea')
const file = form.querySelector('input[type=file]')

async function take(chosen) {
  if (!chosen) return
  const text = await chosen.text()
  // What is not UTF-8 is left to the server.
  if (text.includes('\uFFFD')) return
  field.value = text
  file.value = ''
  field.focus()
}

form.querySelector('.drop').hidden = false
file.addEventListener('change', () => take(file.files[0]))
field.addEventListener('dragover', (event) => {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault()
})
field.addEventListener('drop', (event) => {
  const [dropped] = event.dataTransfer.files
  if (!dropped) return
  event.preventDefault()
  take(dropped)
})

for (const button of document.querySelectorAll('button.download')) {
  button.hidden = false
  button.addEventListener('click', () => {
    const link = document.createElement('a')
    const text = button.parentElement.querySelector('code').textContent
    link.href = URL.createObjectURL(new Blob([text], { type: button.dataset.type }))
    link.download = button.dataset.file
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
  })
}
