import type { RequestHandler } from "express";

/** Express 4 drops rejected promises; this hands them to the error handler. */
export function asyncRoute(handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    Promise.resolve(handler(req, res, next)).catch(next);
  };
}
