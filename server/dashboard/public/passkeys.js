// Forms that a passkey fills: what the server asks stands in the form, and what the key answers goes back with it.
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
          ? 'This key is here already.'
          : 'No passkey answered. Try again, or use another way.';
      problem.hidden = false;
    }
  });
  // Not before: sent without an answer, the form would be refused.
  form.querySelector('button').disabled = false;
}
