/** The service said no, or could not be reached (`status` is 0 then). */
export class SondeError extends Error {
  constructor(message, { status, code, requestId = null, body = null, cause }) {
    super(message, { cause });
    this.name = 'SondeError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.body = body;
  }

  /** From a response that is not a success; its body may be anything when a proxy answered. */
  static async from(response) {
    const text = await response.text();
    const body = parsed(text);
    const message = body?.message ?? `The service answered ${response.status} ${response.statusText}`.trim();
    return new SondeError(message, {
      status: response.status,
      code: body?.error ?? 'unexpected_answer',
      requestId: response.headers.get('x-request-id'),
      body,
    });
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
