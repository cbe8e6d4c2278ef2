/** Events as text: a line for each, followed by its cause and by the errors that apps get for it. */
export function narrated({ events }) {
    return events.flatMap(({ event }) => [
        `${event.at.toFixed(3)} ${event.kind}: ${event.text}`,
        ...(event.cause ? [`    cause: ${event.cause}${event.reason ? ` (${event.reason})` : ""}`] : []),
        ...(event.faces ?? []).map(({ layer, text }) => `    ${layer}: ${text}`),
    ]).join("\n") || "none";
}
