"""Responses of an operation in the OpenAPI document: of its success, and of each error."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from backbench.http.openapi import headers, meanings
from backbench.http.openapi.problems import CODES
from backbench.http.openapi.reference import Reference, plain
from backbench.http.openapi.schemas import bytes_of
from backbench.http.operations import Operation
from backbench.http.representations import Representation

_NO_BODY = (304, 401, 403, 404, 416)


class Responses:
    """The entries under `responses`."""

    def __init__(
        self,
        operation: Operation,
        references: Mapping[Any, dict[str, Any]],
        reference: Reference,
        *,
        returned: Representation | None,
    ) -> None:
        self._operation = operation
        self._references = references
        self._reference = reference
        self._texts = reference.texts.operations[operation.name].responses
        self._returned = returned

    def all(self) -> dict[str, Any]:
        operation = self._operation
        responses: dict[str, Any] = {str(operation.status): self._success()}
        if operation.has_ranges:
            responses["206"] = {
                "description": self._meaning(206, "the requested range of the file."),
                "content": self._bytes(),
            }
        if operation.is_representation:
            responses["304"] = {"description": self._meaning(304), **headers.of_error(operation, 304)}
        for status in sorted(operation.error_statuses()):
            responses[str(status)] = {**self._error(status), **headers.of_error(operation, status)}
        responses[str(operation.status)] |= headers.of_success(operation, self._returned)
        if operation.is_limited:
            for response in responses.values():
                response["headers"] = {**response.get("headers", {}), **headers.OF_LIMITS}
        return responses

    def _success(self) -> dict[str, Any]:
        operation = self._operation
        response: dict[str, Any] = {
            "description": self._meaning(operation.status, f"{meanings.of_success(operation)}.")
        }
        returned = operation.response or operation.messages[1]
        if returned is not None:
            schema = self._references[returned]
            example = plain(self._reference.responses[operation.name])
            response["content"] = {"application/json": {"schema": schema, "example": example}}
        elif operation.sends_bytes:
            response["content"] = self._bytes()
        elif operation.sends_text:
            response["content"] = {operation.content_type: {"schema": {"type": "string"}}}
        return response

    def _bytes(self) -> dict[str, Any]:
        return {media_type: {"schema": bytes_of(media_type)} for media_type in self._operation.media_types}

    def _error(self, status: int) -> dict[str, Any]:
        if status == 400 and self._operation.hides_validation_errors:
            return {"description": f"{HTTPStatus(400).phrase}: the request is not valid. Without a body."}
        response = {"description": self._meaning(status)}
        if status in _NO_BODY:
            return response
        if status != 400:
            return {**response, **self._content(status, "Problem")}
        names = ("ValidationError", "Problem") if status in self._operation.errors else ("ValidationError",)
        return {**response, **self._content(status, *names)}

    def _content(self, status: int, *names: str) -> dict[str, Any]:
        """An error body that is one of the components, with an example for each code."""
        options = [{"$ref": f"#/components/schemas/{name}"} for name in names]
        schema = options[0] if len(options) == 1 else {"anyOf": options}
        examples = {
            code: {"$ref": f"#/components/examples/{self._reference.problem(self._operation.name, code)}"}
            for code in self._codes(status)
        }
        return {"content": {"application/json": {"schema": schema, "examples": examples}}}

    def _codes(self, status: int) -> list[str]:
        """The codes with which the operation can respond."""
        own = [text.code for text in self._texts if text.status == status and text.code]
        general = ("in_progress",) if status == 409 and self._operation.takes_key else CODES.get(status, ())
        return [*own, *general]

    def _meaning(self, status: int, default: str = "") -> str:
        return meanings.meaning(self._operation, self._texts, status, default)
