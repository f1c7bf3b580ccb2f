import type { RequestHandler } from "express";
import { ApiError } from "../errors.js";
import { readToken } from "./tokens.js";

/** Lets operators through and puts who it is on `res.locals.operator`. */
export function requireOperator(role?: "manager"): RequestHandler {
  return (req, res, next) => {
    const operator = readToken(req.get("authorization")?.replace(/^Bearer /, "") ?? "");
    if (!operator) throw new ApiError(401, "signed_out", "Sign in again");
    if (role && operator.role !== role) throw new ApiError(403, "not_allowed", "Managers only");
    res.locals.operator = operator;
    next();
  };
}
