import WebPrimitives

let tag = EntityTag("\"1\"")
precondition(tag?.opaque == "1")
precondition(HTTPDate(secondsSince1970: 0).description == "Thu, 01 Jan 1970 00:00:00 GMT")
