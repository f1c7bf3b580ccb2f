import type { NextFunction, Request, Response } from "express";
import { ZodError } from "zod";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The last middleware: turns whatever was thrown into the one error shape. */
export function errorHandler(error: unknown, _req: Request, res: Response, _next: NextFunction) {
  const known =
    error instanceof ApiError
      ? error
      : error instanceof ZodError
        ? new ApiError(400, "invalid_input", error.issues[0]?.message ?? "Invalid input")
        : new ApiError(500, "internal", "Something went wrong");
  res.status(known.status).json({
    error: { code: known.code, message: known.message, status: known.status },
  });
}
