"""Actors that do nothing, of every kind: the core only ever asks what kind one is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Extra:
    """An actor that is only there to be named."""

    kind: str


AGENT, EFFECT, GATE, FAIL = Extra("agent"), Extra("effect"), Extra("gate"), Extra("fail")
