// Forms that are answered by a passkey: the form holds the server's options, and takes the credential.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  form.addEventListener('submit', async (event) => {
    if (form.elements.credential.value !== '') return;
    event.preventDefault();
    const problem = form.querySelector('[role="alert"]');
    problem.hidden = true;
    try {
      const options = JSON.parse(form.dataset.options);
      const isNew = form.dataset.passkey === 'create';
      const publicKey = isNew
        ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
        : PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const credential = await navigator.credentials[isNew ? 'create' : 'get']({ publicKey });
      form.elements.credential.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch (error) {
      problem.textContent =
        error.name === 'InvalidStateError'
          ? 'This passkey is already registered.'
          : 'No passkey answered. Try again or use another method.';
      problem.hidden = false;
    }
  });
  // Enabled here, because a form that is sent before the handler exists has no credential.
  form.querySelector('button').disabled = false;
}
