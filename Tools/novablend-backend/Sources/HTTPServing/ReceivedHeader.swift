import Glibc
import NovaBlendMicroHTTPD

/// The header of the current request of a connection, as libmicrohttpd received it.
///
/// libmicrohttpd accepts more than it should: lines that end without a carriage return, folded
/// lines, and NUL, after which it ignores the rest of a line. It reads a header into one buffer and
/// replaces only the delimiters, so all this leaves a gap between the strings or moves them.
struct ReceivedHeader {
    let fields: HeaderFields
    /// Whether the header consists of exactly these strings and single delimiters.
    let isExact: Bool
    /// Whether all names are tokens, and no value contains control characters.
    let isPlain: Bool

    init(_ exchange: Exchange, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) {
        var scan = Scan()
        scan.position = UInt(bitPattern: method)
        // The method and a space, the target and a space, the version and CRLF.
        scan.skip(UInt(bitPattern: method), strlen(method) + 1)
        scan.skip(exchange.targetPosition, exchange.target.count + 1)
        scan.skip(UInt(bitPattern: version), strlen(version) + 2)
        withUnsafeMutablePointer(to: &scan) { pointer in
            _ = MHD_get_connection_values_n(
                exchange.connection,
                .HEADER_KIND,
                { context, _, name, nameCount, value, valueCount in
                    let scan = context?.assumingMemoryBound(to: Scan.self)
                    scan?.pointee.add(
                        UnsafeRawBufferPointer(start: name, count: nameCount),
                        UnsafeRawBufferPointer(start: value, count: valueCount)
                    )
                    return .YES
                },
                pointer
            )
        }
        // The empty line.
        scan.skip(scan.position, 2)
        fields = scan.fields
        isPlain = scan.isPlain
        let end = UInt(bitPattern: method) + UInt(nb_mhd_header_size(exchange.connection))
        isExact = scan.isExact && scan.position == end
    }

    private struct Scan {
        var fields = HeaderFields()
        var position: UInt = 0
        var isExact = true
        var isPlain = true

        mutating func skip(_ start: UInt, _ count: Int) {
            if start != position { isExact = false }
            position = start &+ UInt(count)
        }

        mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
            let start = UInt(bitPattern: name.baseAddress)
            let valueStart = UInt(bitPattern: value.baseAddress)
            skip(start, name.count + 1)
            // Spaces between the colon and the value.
            if valueStart < position { isExact = false }
            position = valueStart &+ UInt(value.count) &+ 2
            var count = value.count
            // libmicrohttpd takes a transfer coding with a space at its end for a different one.
            let isTrimmed = !name.elementsEqual("transfer-encoding".utf8) { $0.lowercased == $1 }
            while isTrimmed, count > 0, value[count - 1].isBlank { count -= 1 }
            let text = UnsafeRawBufferPointer(rebasing: value[..<count])
            if name.isEmpty || !name.allSatisfy(\.isTokenCharacter)
                || !text.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 })
            {
                isPlain = false
            }
            fields.append(
                String(decoding: text, as: UTF8.self),
                for: String(decoding: name, as: UTF8.self)
            )
        }
    }
}
