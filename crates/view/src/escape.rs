//! Text within XML and HTML.

/// Text of an element or an attribute. XML has no control characters at all, so they become what stands for an unknown one.
pub fn escape(text: &str) -> String {
    let text = text.replace(|c: char| c.is_control(), "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
