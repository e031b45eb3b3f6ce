// Gives each command its copy button, which without a script would do nothing.
for (const button of document.querySelectorAll('button.copy:not(.download)')) {
  const code = button.parentElement.querySelector('code')
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = button.dataset.copied
      setTimeout(() => {
        button.textContent = label
      }, 2000)
    } catch {
      // Browsers give the clipboard to secure pages alone; elsewhere the text is selected, ready to be copied by hand.
      getSelection().selectAllChildren(code)
    }
  })
}
