/** Makes a screenshot small: a palette of at most 256 colours, packed as tightly as zlib can. */
import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MAX_COLOURS = 256;

/** Takes what Chromium writes: 8 bits a channel, RGB or RGBA (its alpha is ignored), not interlaced. */
export function shrinkPng(png) {
  const { width, height, channels, rows } = readPng(png);
  for (let bits = 8; bits > 2; bits -= 1) {
    const indexed = toPalette(rows, width, height, channels, bits);
    if (indexed !== undefined) return writePng(width, height, indexed);
  }
  throw new Error('the picture has too many colours');
}

function readPng(png) {
  let header;
  const data = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 6 ? 4 : 3;
  const raw = inflateSync(Buffer.concat(data));
  return { width, height, channels, rows: unfilter(raw, width * channels, height, channels) };
}

/** Each row is written as differences, in one of five ways. */
function unfilter(raw, stride, height, channels) {
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const left = x < channels ? 0 : rows[y * stride + x - channels];
      const up = y === 0 ? 0 : rows[(y - 1) * stride + x];
      const corner = x < channels || y === 0 ? 0 : rows[(y - 1) * stride + x - channels];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      rows[y * stride + x] = raw[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return rows;
}

function paeth(left, up, corner) {
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(left + up - corner - each));
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Colours rounded to so many bits a channel; undefined when they are still too many. */
function toPalette(rows, width, height, channels, bits) {
  const colours = new Map();
  const pixels = Buffer.alloc((width + 1) * height);
  const round = (value) => Math.round((value * (2 ** bits - 1)) / 255) * (255 / (2 ** bits - 1));
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = pixel * channels;
    const colour = (round(rows[at]) << 16) | (round(rows[at + 1]) << 8) | round(rows[at + 2]);
    if (!colours.has(colour)) colours.set(colour, colours.size);
    if (colours.size > MAX_COLOURS) return undefined;
    pixels[pixel + Math.floor(pixel / width) + 1] = colours.get(colour);
  }
  const palette = Buffer.from(
    [...colours.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
  );
  return { palette, pixels };
}

function writePng(width, height, { palette, pixels }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const data = deflateSync(pixels, { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
