import Contract
import Domain
package import JSON

extension JSONWriter {
    /// Writes a key and an object.
    mutating func object(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }

    /// Writes a key and an array with an object for each of `values`.
    mutating func objects<Values: Sequence>(
        _ key: StaticString,
        _ values: Values,
        _ body: (Values.Element, inout JSONWriter) -> Void
    ) {
        self.key(key)
        array { writer in
            for value in values { writer.object { body(value, &$0) } }
        }
    }

    /// Writes a key and an array of times.
    mutating func member(_ key: StaticString, _ times: [AppointmentTime]) {
        member(key, times.map(ISO8601.formatRFC3339))
    }
}

extension JSONFragment {
    /// Encodes an array of strings.
    package init(strings: [String]) {
        self.init { writer in
            writer.array { writer in for text in strings { writer.string(text) } }
        }
    }
}
