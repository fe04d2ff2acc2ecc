// A form contains the server's options. The script writes the passkey's response into the form.
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
  // The button is enabled here. A form that is sent earlier would have no credential.
  form.querySelector('button').disabled = false;
}
