import type { RequestHandler } from 'express';
import { parseCountry } from '../../checks/search/google/locales.ts';
import { loadLocations } from '../../checks/search/locations/locations.ts';
import { validationError } from '../http/errors.ts';
import { unknownParameterWarnings } from '../http/warnings.ts';
import { readText } from './parameters.ts';

export const searchLocations: RequestHandler = async (req, res) => {
  const text = readText(req, 'q')?.trim();
  if (!text) throw validationError({ q: ['Is required.'] });
  const code = readText(req, 'country');
  const country = code === undefined ? null : parseCountry(code);
  if (code !== undefined && country === null) throw validationError({ country: [invalidCountry] });
  const locations = await loadLocations();
  res.json({
    success: true,
    data: locations.search(text, country),
    ...unknownParameterWarnings(req),
  });
};

export const invalidCountry = 'Must be a country code that Google supports, such as US.';
