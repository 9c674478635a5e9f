public import JSON

extension SalonCodec {
    /// Writes what `read` would read as `write` would write it, and throws what `read` would throw.
    ///
    /// A list of a hundred thousand is checked and written on its way to the disk: without a `Salon`
    /// between there is no String a field, which is most of the cost.
    public static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
        let object = try value.object()
        let phone = object["phone"]
        guard object.count == (phone == nil ? 5 : 6) else {
            // It has more than the seed's members, or one of them twice.
            return write(try read(value), to: &writer)
        }
        try writer.object { writer throws(JSONError) in
            writer.key("id")
            SalonIDCodec.write(try SalonIDCodec.read(object.required("id")), to: &writer)
            writer.key("name")
            try writer.string(object.required("name"))
            writer.key("location")
            try writer.string(object.required("location"))
            if let phone, !phone.isNull {
                writer.key("phone")
                try writer.string(phone)
            }
            writer.key("open_time")
            try TimeOfDayCodec.copy(object.required("open_time"), to: &writer)
            writer.key("close_time")
            try TimeOfDayCodec.copy(object.required("close_time"), to: &writer)
        }
    }
}
