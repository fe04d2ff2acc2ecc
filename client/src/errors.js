/** Error response of the service. `status` is 0 if the service could not be reached. */
export class SondeError extends Error {
  constructor(message, { status, code, requestId = null, body = null, cause }) {
    super(message, { cause });
    this.name = 'SondeError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.body = body;
  }

  /** Creates an error from a response. If a proxy responded, the body may not be JSON. */
  static async from(response) {
    const text = await response.text();
    const body = parseJson(text);
    const message = body?.message ?? `The service answered ${response.status} ${response.statusText}`.trim();
    return new SondeError(message, {
      status: response.status,
      code: body?.error ?? 'unexpected_answer',
      requestId: response.headers.get('x-request-id'),
      body,
    });
  }
}

/** Returns null if the text is not JSON. */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
